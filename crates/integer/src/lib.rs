//! Products of integers of any size, and their text in decimal and hexadecimal.
