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
    query People($firstName: String, $lastName: String, $sortBy: String) {
      people(firstName: $firstName, lastName: $lastName, sortBy: $sortBy) {
        id
        firstName
        lastName
      }
    }
  `,
  getPeopleByLastName(lastName) {
    return request("/graphql", this.peopleQuery, { lastName })
  }
}
