// deno-fmt-ignore-file

// Corrected: the server module exports it as `makeServer`.
import { makeServer as createServer } from "../mirage/server_that_deletes.js";
import { request } from "../../graphql_request.js"

const server = createServer();

// Corrected: there has to be a person that can be deleted.
server.create("person", { firstName: "Mikael", lastName: "Åkerfeldt" })

export default {
  // ...other component stuff

  deletePersonMutation: `
    mutation DeletePerson($id: ID!) {
      deletePerson(id: $id)
    }
  `,
  deletePerson(id) {
    return request("/graphql", this.deletePersonMutation, { id })
  }
}
