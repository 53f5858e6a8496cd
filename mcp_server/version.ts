import manifest from "./deno.json" with { type: "json" };

/** The version of this package, as it is published. */
export const VERSION: string = manifest.version;
