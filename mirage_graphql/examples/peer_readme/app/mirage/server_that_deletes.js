// deno-fmt-ignore-file

import { createServer } from "../../miragejs.js"
import graphQLSchema from "../gql/schema.js"
import {
  createGraphQLHandler,
  mirageGraphQLFieldResolver
} from "@trestle/mirage-graphql"

export function makeServer() {
  return createServer({
    routes() {
      const graphQLHandler = createGraphQLHandler(graphQLSchema, this.schema, {
        resolvers: {
          Mutation: {
            // Coerce the record returned from the default resolver to a Boolean
            // Corrected: an arrow function of a module has no `arguments`.
            deletePerson: (obj, args, context, info) =>
              !!mirageGraphQLFieldResolver(obj, args, context, info)
          }
        }
      })

      this.post("/graphql", graphQLHandler)
    }
  })
}
