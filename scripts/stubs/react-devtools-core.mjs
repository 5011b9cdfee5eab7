// Ink asks for React's developer tools when DEV is set; the bundle has none.
export default {};
