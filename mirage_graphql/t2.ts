import { startMirage } from "./orm/testing/mock_server.ts";
import { buildSchema } from "graphql";
import { ensureModels } from "./orm/ensure_models.ts";
import { belongsTo, hasMany, Model } from "miragejs";
const n = 100;
const types = Array.from({ length: n }, (_, i) => `type Entity${i} implements Node { id: ID! name: String
  parent${(i * 7 + 1) % n}: Entity${(i * 7 + 1) % n} kids: [Entity${(i + 3) % n}] item: Item any: [Node] conn: E${(i+5)%n}Connection}
  type E${i}Connection { edges: [E${i}Edge] } type E${i}Edge { node: Entity${i} }`).join("\n");
const sdl = `type Query { ${Array.from({ length: n }, (_, i) => `e${i}: [Entity${i}]`).join(" ")} } interface Node { id: ID! } union Item = Entity1 | Entity2 | Entity3
${types}`;
const schema = buildSchema(sdl);
const ours: number[] = [], again: number[] = [], mirage: number[] = [];
for (let r = 0; r < 60; r++) {
  using m = startMirage();
  let t = performance.now();
  ensureModels(schema, m.mockSchema);
  ours.push(performance.now() - t);
  t = performance.now();
  ensureModels(schema, m.mockSchema);
  again.push(performance.now() - t);
  using o = startMirage();
  t = performance.now();
  for (let i = 0; i < n; i++) o.mockSchema.registerModel(`entity${i}`, Model.extend({ [`parent${(i * 7 + 1) % n}`]: belongsTo(`entity${(i * 7 + 1) % n}`), kids: hasMany(`entity${(i + 3) % n}`), item: belongsTo({ polymorphic: true }), any: hasMany({ polymorphic: true }), conn: hasMany(`entity${(i+5)%n}`) }));
  mirage.push(performance.now() - t);
}
for (const [k, v] of Object.entries({ ours, again, mirage })) { v.sort((a, b) => a - b); console.log(k, "min", v[0]!.toFixed(2), "median", v[30]!.toFixed(2)); }
