import type { ServeConfig } from "@trestle/mirage-graphql/serve";
import { belongsTo, Model } from "miragejs";

const config: ServeConfig = {
  schema: "schema/**/*.graphql", // relative to this file
  models: { post: Model.extend({ author: belongsTo("person", { inverse: "posts" }) }) },
  resolvers: { Query: { version: () => "1.0" } },
  seeds: { people: [{ name: "Ada", posts: [{ title: "One" }] }] },
  latency: "100..400",
  fail: { CreatePost: [503, 401] },
  origins: ["http://localhost:5173"],
};
export default config;
