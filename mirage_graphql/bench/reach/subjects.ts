import type { DocumentedOperation, Family } from "./documented_operation.ts";
import { amplify } from "./families/amplify.ts";
import { hasura } from "./families/hasura.ts";
import { keystone } from "./families/keystone.ts";
import { linear } from "./families/linear.ts";
import { postgraphile } from "./families/postgraphile.ts";
import { relay } from "./families/relay.ts";
import { shopify } from "./families/shopify.ts";
import { strapi } from "./families/strapi.ts";
import { github } from "./real/github.ts";
import { pokemon } from "./real/pokemon.ts";
import type { RealSchema } from "./real/real_schema.ts";
import { relayCompiler } from "./real/relay_compiler.ts";
import { shopifyCustomer } from "./real/shopify_customer.ts";
import { shopifyStorefront } from "./real/shopify_storefront.ts";
import { vendure } from "./real/vendure.ts";

/** Schemas of public APIs, which npm packages have. */
export const REAL_SCHEMAS: readonly RealSchema[] = [
  github,
  shopifyStorefront,
  shopifyCustomer,
  vendure,
  relayCompiler,
  pokemon,
];

/** Small schemas in the manner of public APIs. */
export const FAMILIES: readonly Family[] = [
  hasura,
  keystone,
  postgraphile,
  amplify,
  strapi,
  linear,
  relay,
  shopify,
];

/** What is measured of a schema. */
export interface Subject {
  readonly name: string;
  /** Package that has the schema; none if it is in the repository. */
  readonly package?: string;
  /** File name of the schema: its ending says which kind of text it is. */
  readonly path: string;
  readonly text: string;
  /** Records as a seed file of `serve` has them; without it, they are generated. */
  readonly seeds?: string;
  readonly operations: readonly DocumentedOperation[];
}

/** Reads the schema of a family. */
export function familySubject({ name, schema, seeds, operations }: Family): Subject {
  return { name, path: "schema.graphql", text: schema, seeds: JSON.stringify(seeds), operations };
}

/** Reads the schema of an installed package. */
export async function realSubject(schema: RealSchema, packageFolder: string): Promise<Subject> {
  const { name, paths, complete = (text: string) => text, operations } = schema;
  const texts = [];
  for (const path of paths) texts.push(...await readTexts(`${packageFolder}/${path}`));
  const path = paths[0]?.endsWith(".json") ? "schema.json" : "schema.graphql";
  return { name, package: schema.package, path, text: complete(texts.join("\n")), operations };
}

/** A file's text, or those of all `.graphql` files of a folder. */
async function readTexts(path: string): Promise<string[]> {
  const { isDirectory } = await Deno.stat(path);
  if (!isDirectory) return [await Deno.readTextFile(path)];
  const names = Array.from(Deno.readDirSync(path), ({ name }) => name).sort();
  const files = names.filter((name) => name.endsWith(".graphql"));
  return await Promise.all(files.map((name) => Deno.readTextFile(`${path}/${name}`)));
}
