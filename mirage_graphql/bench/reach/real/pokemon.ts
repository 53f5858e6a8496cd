import { listOf, someCount, someText } from "../documented_operation.ts";
import type { RealSchema } from "./real_schema.ts";

/** An API that is read only, with fuzzy searches, enums as keys, and pages by `take` and `offset`. */
export const pokemon: RealSchema = {
  name: "Pokémon",
  package: "@favware/graphql-pokemon@8.8.1",
  paths: ["graphql"],
  operations: [
    {
      name: "one by an enum",
      query:
        "query { getPokemon(pokemon: dragonite) { num species types { name } abilities { first { name } } } }",
      expected: { getPokemon: { num: someCount, species: someText } },
    },
    {
      name: "all in pages",
      query: "query { getAllPokemon(take: 2, offset: 1) { key species } }",
      expected: { getAllPokemon: listOf({ species: someText }, 2) },
    },
    {
      name: "item",
      query: "query { getItem(item: abomasite) { name desc } }",
      expected: { getItem: { name: someText } },
    },
    {
      name: "fuzzy search",
      query: `query { getFuzzyMove(move: "volt", take: 3) { name basePower } }`,
      expected: { getFuzzyMove: (moves: unknown) => Array.isArray(moves) },
    },
  ],
};
