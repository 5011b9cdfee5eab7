/**
 * Letters of English, and the signs that Wave's own lines are made of: a column each, however they stand together. To know it of
 * any other text, the first look takes longer than all the rest of the first frame, because every emoji there is has to be known.
 */
export const NARROW = /^[\u0020-\u007e·–—•…›←-↓∴≋≡⊘⋯─-╿▏▣○●◆✓✗⠀-⣿]*$/;
