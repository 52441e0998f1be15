//! Planted: a fragment that is defined after the operation is spread in it three selections deep.

use graphql_parser::query::{Definition, OperationDefinition, Selection, SelectionSet};

/// Reads one input.
pub fn run(text: &str) {
    let Ok(document) = graphql_parser::parse_query::<&str>(text) else { return };
    for (at, definition) in document.definitions.iter().enumerate() {
        let Definition::Operation(operation) = definition else { continue };
        let set = match operation {
            OperationDefinition::SelectionSet(set) => set,
            OperationDefinition::Query(query) => &query.selection_set,
            OperationDefinition::Mutation(mutation) => &mutation.selection_set,
            OperationDefinition::Subscription(subscription) => &subscription.selection_set,
        };
        let later = document.definitions[at..].iter().filter_map(|definition| match definition {
            Definition::Fragment(fragment) => Some(fragment.name),
            Definition::Operation(_) => None,
        });
        spread(set, &later.collect::<Vec<_>>());
    }
}

fn spread<'a>(set: &SelectionSet<'a, &'a str>, later: &[&str]) {
    let mut open = vec![(set, 1)];
    while let Some((set, depth)) = open.pop() {
        for selection in &set.items {
            match selection {
                Selection::Field(field) => open.push((&field.selection_set, depth + 1)),
                Selection::InlineFragment(fragment) => open.push((&fragment.selection_set, depth + 1)),
                Selection::FragmentSpread(spread) => found(depth, later, spread.fragment_name),
            }
        }
    }
}

fn found(depth: usize, later: &[&str], name: &str) {
    assert!(depth < 3 || !later.contains(&name), "planted");
}
