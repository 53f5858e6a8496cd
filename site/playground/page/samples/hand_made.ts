/** Written by hand, as for an app of its own: a search, a page, inputs, and subscriptions. */
export const HAND_MADE_SCHEMA = `
type Author {
  id: ID!
  name: String!
  country: String
  books: [Book!]!
}

type Book {
  id: ID!
  title: String!
  year: Int!
  genre: Genre!
  summary: String
  author: Author!
  reviews: [Review!]!
}

type Review {
  id: ID!
  stars: Int!
  text: String!
  createdAt: String!
  book: Book!
}

enum Genre {
  NOVEL
  POETRY
  SCIENCE
  TRAVEL
}

type Query {
  authors: [Author!]!
  author(id: ID!): Author
  books(genre: Genre, limit: Int, offset: Int): [Book!]!
  book(id: ID!): Book
}

input NewBook {
  title: String!
  year: Int!
  genre: Genre!
  authorId: ID!
}

input NewReview {
  bookId: ID!
  stars: Int!
  text: String!
}

type Mutation {
  createBook(input: NewBook!): Book!
  updateBook(id: ID!, title: String, year: Int): Book
  deleteBook(id: ID!): Book
  createReview(input: NewReview!): Review!
}

type Subscription {
  bookCreated: Book!
  bookUpdated: Book!
  reviewCreated(bookId: ID): Review!
}
`;
