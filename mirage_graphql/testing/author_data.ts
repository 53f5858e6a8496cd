/** People with posts, a pet and an address. */
export const SCHEMA = `
  interface Animal { id: ID! name: String }
  type Cat implements Animal { id: ID! name: String }
  type Person { id: ID! name: String shout: String posts(title: String): [Post!]! pet: Animal address: Address }
  type Post { id: ID! title: String author: Person tags: [Tag!] }
  type Tag { id: ID! label: String }
  type Address { city: String }
  type Query {
    person(id: ID): Person
    people: [Person!]!
    post: Post
    posts: [Post!]!
  }
`;

/** Two people and three posts, one of them without an author. */
export const DATA = {
  people: [
    {
      id: "1",
      name: "Ada",
      postIds: ["2", "1"],
      petId: { type: "cat", id: "1" },
      address: { city: "London" },
    },
    { id: "2", name: "Zoë", postIds: [] },
  ],
  posts: [
    { id: "1", title: "One", authorId: "1", tagIds: ["1"] },
    { id: "2", title: "Two", authorId: "1", tagIds: [] },
    { id: "3", title: "Three", authorId: null, tagIds: ["1"] },
  ],
  tags: [{ id: "1", label: "a" }],
  cats: [{ id: "1", name: "Tom" }],
};
