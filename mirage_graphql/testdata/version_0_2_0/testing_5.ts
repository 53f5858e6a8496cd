import { createFetchInterceptor, createGraphQLHandler } from "@trestle/mirage-graphql";
import { createServer } from "miragejs";

const interceptor = createFetchInterceptor();
createServer({
  ...interceptor,
  environment: "test",
  routes() {
    const root = { hello: "you" };
    this.post(
      "/graphql",
      createGraphQLHandler("type Query { hello: String }", this.schema, { root }),
    );
  },
});
const response = await fetch("/graphql", {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ query: "{ hello }" }),
});
console.log(await response.json()); // { data: { hello: "you" } }
interceptor.restore(); // gives fetch back
