// deno-fmt-ignore-file

import { createServer } from "../../miragejs.js"
import { createGraphQLHandler } from "@trestle/mirage-graphql"
import graphQLSchema from "../gql/schema.js"

export function makeServer() {
  return createServer({
    routes() {
      const graphQLHandler = createGraphQLHandler(graphQLSchema, this.schema);

      this.post("/graphql", graphQLHandler)
    }
  })
}
