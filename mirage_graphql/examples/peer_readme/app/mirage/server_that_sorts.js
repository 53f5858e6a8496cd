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
          Query: {
            people(obj, args, context, info) {
              const { sortBy } = args
              
              delete args.sortBy
              
              const records =
                mirageGraphQLFieldResolver(obj, args, context, info)

              return records.sort((a, b) => a[sortBy].localeCompare(b[sortBy]))
            }
          }
        }
      })

      this.post("/graphql", graphQLHandler)
    }
  })
}
