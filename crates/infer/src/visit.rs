//! Readers of syntax trees, all of which walk with one copy of `syn`'s walk.
//!
//! `syn` writes its walk anew for each type that implements its trait: a dozen readers made more than
//! half of this crate's code. [`Visit`] has the same methods, as many as are asked for here, and is
//! walked with as a trait object.
//! From within a method, `syn::visit::visit_expr(&mut self.walk(), expr)` goes on to the nodes within.

macro_rules! nodes {
    ($($method:ident: $node:ty,)*) => {
        /// What is done at nodes; a method that is not given goes on to the nodes within.
        pub(super) trait Visit<'ast> {
            /// Itself, to walk with.
            fn walk(&mut self) -> Walk<'_, 'ast>;
            $(fn $method(&mut self, node: &'ast $node) {
                syn::visit::$method(&mut self.walk(), node);
            })*
        }

        impl<'ast> syn::visit::Visit<'ast> for Walk<'_, 'ast> {
            $(fn $method(&mut self, node: &'ast $node) {
                self.0.$method(node);
            })*
        }
    };
}

/// A reader on its way through a tree.
pub(super) struct Walk<'w, 'ast>(pub(super) &'w mut (dyn Visit<'ast> + 'w));

nodes! {
    visit_arm: syn::Arm,
    visit_block: syn::Block,
    visit_const_param: syn::ConstParam,
    visit_expr: syn::Expr,
    visit_expr_assign: syn::ExprAssign,
    visit_expr_binary: syn::ExprBinary,
    visit_expr_call: syn::ExprCall,
    visit_expr_cast: syn::ExprCast,
    visit_expr_closure: syn::ExprClosure,
    visit_expr_for_loop: syn::ExprForLoop,
    visit_expr_group: syn::ExprGroup,
    visit_expr_if: syn::ExprIf,
    visit_expr_index: syn::ExprIndex,
    visit_expr_let: syn::ExprLet,
    visit_expr_match: syn::ExprMatch,
    visit_expr_method_call: syn::ExprMethodCall,
    visit_expr_paren: syn::ExprParen,
    visit_expr_path: syn::ExprPath,
    visit_expr_range: syn::ExprRange,
    visit_expr_reference: syn::ExprReference,
    visit_expr_return: syn::ExprReturn,
    visit_expr_unary: syn::ExprUnary,
    visit_expr_while: syn::ExprWhile,
    visit_field: syn::Field,
    visit_field_value: syn::FieldValue,
    visit_file: syn::File,
    visit_ident: syn::Ident,
    visit_impl_item: syn::ImplItem,
    visit_impl_item_type: syn::ImplItemType,
    visit_item: syn::Item,
    visit_item_type: syn::ItemType,
    visit_lit: syn::Lit,
    visit_local: syn::Local,
    visit_macro: syn::Macro,
    visit_pat: syn::Pat,
    visit_pat_ident: syn::PatIdent,
    visit_pat_or: syn::PatOr,
    visit_signature: syn::Signature,
    visit_stmt: syn::Stmt,
    visit_trait_item: syn::TraitItem,
    visit_type: syn::Type,
    visit_type_param: syn::TypeParam,
}
