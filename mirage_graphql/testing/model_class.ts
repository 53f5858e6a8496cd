import { Model } from "miragejs";

/**
 * A class to extend: `class Person extends ModelClass`. Mirage supports this, but its types don't.
 */
// the boundary: the members of Mirage's models depend on the schema
// deno-lint-ignore no-explicit-any
export const ModelClass: new () => { readonly [name: string]: any } = Object(Model);
