//! What dense matrices are made of.

mod any;
mod any_algebra;
mod bound;
mod echelon;
mod images;
mod late_reduction;
mod lifted;
mod matrix;
mod panels;
mod product;
mod short_product;
mod small;
mod two_adic;
mod view;
mod words;
