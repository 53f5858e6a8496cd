import { Model } from "miragejs";

/** A class to extend: `class Person extends ModelClass`. Mirage takes it, its types don't say so. */
// the boundary: what Mirage puts on its models depends on the schema
// deno-lint-ignore no-explicit-any
export const ModelClass: new () => { readonly [name: string]: any } = Object(Model);
