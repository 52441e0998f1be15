//! Planted: an element says of which other it is by an attribute that the other, an earlier one that is not
//! around it, has with the same value, of two letters at least.

use roxmltree::Node;

/// Reads one input.
pub fn run(text: &str) {
    let Ok(document) = roxmltree::Document::parse(text) else { return };
    let elements: Vec<Node> = document.descendants().filter(Node::is_element).collect();
    for (at, later) in elements.iter().enumerate() {
        for earlier in &elements[..at] {
            compare(earlier, later);
        }
    }
}

fn compare(earlier: &Node, later: &Node) {
    if later.ancestors().any(|around| around == *earlier) {
        return;
    }
    for id in later.attributes().filter(|id| id.value().len() >= 2) {
        assert!(earlier.attribute(id.name()) != Some(id.value()), "planted");
    }
}
