/**
 * The console of the tool server: a page that calls the server it comes from.
 *
 * @module
 */

import { createApp, type VNodeChild } from "vue";
import { App } from "./App.tsx";

createApp(App).mount("#app");

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
