// deno-fmt-ignore-file

// Corrected: the server module exports it as `makeServer`.
import { makeServer as createServer } from "../mirage/server.js";
import { request } from "../../graphql_request.js"

const server = createServer();

server.create("person", { firstName: "Mikael", lastName: "Åkerfeldt" })

export default {
  // ...other component stuff

  // Corrected: the type is named `ID!`.
  personQuery: `
    query Person($id: ID!) {
      person(id: $id) {
        id
        firstName
        lastName
      }
    }
  `,
  getPerson(id) {
    return request("/graphql", this.personQuery, { id })
  }
}
