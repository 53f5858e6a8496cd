import type { VNodeChild } from "vue";

// The compiler passes what is between the tags of an element as `children`, which Vue's own types
// of elements leave out.
declare module "vue" {
  /** What an HTML element takes. */
  interface HTMLAttributes {
    /** What is between the tags. */
    children?: VNodeChild;
  }
  /** What an SVG element takes. */
  interface SVGAttributes {
    /** What is between the tags. */
    children?: VNodeChild;
  }
}
