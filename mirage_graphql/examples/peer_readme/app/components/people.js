// deno-fmt-ignore-file

// Corrected: the server module exports it as `makeServer`.
import { makeServer as createServer } from "../mirage/server.js";
import { request } from "../../graphql_request.js"

const server = createServer();

server.create("person", { firstName: "Mikael", lastName: "Åkerfeldt" })
server.create("person", { firstName: "Per", lastName: "Nilsson" })
server.create("person", { firstName: "Tomas", lastName: "Haake" })

export default {
  // ...other component stuff

  peopleQuery: `
    query People {
      people {
        id
        firstName
        lastName
      }
    }
  `,
  getPeople() {
    return request("/graphql", this.peopleQuery)
  }
}
