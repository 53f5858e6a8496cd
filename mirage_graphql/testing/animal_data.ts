/** Cats, dogs and others, in interfaces that implement interfaces and in unions. */
export const SCHEMA = `
  interface Node { id: ID! }
  interface Named { name: String }
  interface Animal implements Node { id: ID! name: String }
  type Cat implements Animal & Node { id: ID! name: String lives: Int owner: Keeper }
  type Dog implements Animal & Node { id: ID! name: String breed: String owner: Keeper }
  type Keeper { id: ID! name: String }
  type HTTPLog implements Node { id: ID! path: String }
  type api_user implements Node { id: ID! login: String logs: [HTTPLog!]! }
  union Pet = Cat | Dog
  union DogFirst = Dog | Cat
  union Anything = Cat | Dog | Person | HTTPLog | api_user
  type Person implements Node & Named {
    id: ID! name: String
    pets: [Pet!]!
    animals(name: String): [Animal]
    favorite: Pet
    first: Animal
    thing: Node
  }
  type Query {
    node(id: ID!): Node
    anyNode: Node
    nodes: [Node!]!
    animals(name: String): [Animal!]!
    animal(id: ID, name: String): Animal
    pets: [Pet!]!
    pet(id: ID): Pet
    dogFirst(id: ID): DogFirst
    anything: [Anything]
    oneThing(id: ID): Anything
    people: [Person!]!
    person(id: ID): Person
    logs: [HTTPLog!]!
    log(id: ID): HTTPLog
    users: [api_user!]!
  }
`;

/** Records whose ids repeat between the types. */
export const DATA = {
  cats: [{ id: "1", name: "Tom", lives: 9, ownerId: "1" }, { id: "2", name: "Kit", lives: 7 }],
  dogs: [{ id: "1", name: "Rex", breed: "Pug", ownerId: "1" }, { id: "3", name: "Kit" }],
  people: [
    {
      id: "1",
      name: "Ada",
      petIds: [{ type: "dog", id: "1" }, { type: "cat", id: "2" }, { type: "cat", id: "1" }],
      animalIds: [{ type: "cat", id: "2" }, { type: "dog", id: "3" }],
      favoriteId: { type: "cat", id: "1" },
      firstId: { type: "dog", id: "3" },
      thingId: { type: "api-user", id: "1" },
    },
    { id: "2", name: "Zoë" },
  ],
  keepers: [{ id: "1", name: "Ada" }],
  httpLogs: [{ id: "1", path: "/" }, { id: "5", path: "/five" }],
  apiUsers: [{ id: "1", login: "root", logIds: ["5"] }],
};
