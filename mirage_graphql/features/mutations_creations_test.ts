import { testWriteDialect } from "../testing/write_dialect.ts";

/** What the name of a mutation may begin with that creates nothing. */
const VERBS: readonly string[] = [
  ..."cancel approve refund merge validate search import move set change modify patch".split(" "),
  ..."login signIn logout verify reset request confirm transition apply pay ship".split(" "),
  ..."duplicate export generate sync refresh run stop accept reject assign track".split(" "),
];

/** RealWorld, Hackernews and GitHub: what creates, and to whom a new record belongs. */
testWriteDialect({
  name: "creations of apps",
  state: `{
    articles { id title author { name } comments { body } } comments { id body }
    links { id url postedBy { name } } votes { link { id } user { name } }
    issues { id comments(first: 9) { nodes { body } } }
  }`,
  data: {
    users: [{ id: "1", name: "Ada", articleIds: ["1"] }, { id: "2", name: "Bea", articleIds: [] }],
    articles: [{ id: "1", slug: "one", title: "One", authorId: "1", commentIds: [] }],
    links: [{ id: "1", url: "a.test", description: "A" }],
    issues: [{ id: "1", title: "Bug", commentIds: [] }],
    orders: [{ id: "1", code: "A" }],
  },
  schema: `
    type Query {
      articles: [Article!]! comments: [Comment!]! links: [Link!]! votes: [Vote!]!
      issues: [Issue!]! orders: [Order!]! viewer: User
    }
    type User { id: ID! name: String articles: [Article!]! email: String }
    type Article { id: ID! slug: String! title: String author: User! comments: [Comment!]! }
    type Comment { id: ID! body: String }
    type Link { id: ID! url: String! description: String! postedBy: User }
    type Vote { id: ID! link: Link! user: User! }
    interface Node { id: ID! }
    type Issue implements Node { id: ID! title: String comments(first: Int): IssueComments! }
    type IssueComments { nodes: [IssueComment] edges: [IssueCommentEdge] pageInfo: PageInfo! }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type IssueCommentEdge { node: IssueComment cursor: String! }
    type IssueComment implements Node { id: ID! body: String! }
    type Order { id: ID! code: String state: String }
    input CommentInput { body: String }
    input AddCommentInput { subjectId: ID! body: String! clientMutationId: String }
    input ArticleInput { title: String slug: String }
    input OrderInput { code: String }
    type AddCommentPayload { commentEdge: IssueCommentEdge subject: Node clientMutationId: String }
    type CommentPayload { comment: Comment article: Article! }
    type OrderPayload { order: Order }
    type Mutation {
      createComment(articleSlug: String!, input: CommentInput!): CommentPayload
      createArticleComment(articleId: ID!, body: String!): Comment
      addComment(input: AddCommentInput!): AddCommentPayload
      createArticle(input: ArticleInput!): Article!
      post(url: String!, description: String!): Link!
      submitLink(url: String!, description: String!): Link
      vote(linkId: ID!): Vote!
      ${VERBS.map((verb) => `${verb}Order(input: OrderInput!): OrderPayload`).join("\n")}
      shorten(url: String!): Link
    }
  `,
  rows: [
    [
      'createComment(articleSlug: "one", input: { body: "Hi" }) { comment { body } article { title } }',
      { comment: { body: "Hi" }, article: { title: "One" } },
      ["1 One Ada [Hi]", "1 Hi", "1 a.test -", "1 []"],
    ],
    ['createArticleComment(articleId: 1, body: "Hi") { id }', { id: "1" }, [
      "1 One Ada [Hi]",
      "1 Hi",
      "1 a.test -",
      "1 []",
    ]],
    [
      'addComment(input: { subjectId: 1, body: "Hi" }) { commentEdge { node { body } } subject { id } }',
      { commentEdge: { node: { body: "Hi" } }, subject: { id: "1" } },
      ["1 One Ada []", "1 a.test -", "1 [Hi]"],
    ],
    ['createArticle(input: { title: "Two", slug: "two" }) { author { name } }', {
      author: { name: "Ada" },
    }, ["1 One Ada []", "2 Two Ada []", "1 a.test -", "1 []"]],
    ['post(url: "b.test", description: "B") { id postedBy { name } }', {
      id: "2",
      postedBy: { name: "Ada" },
    }, ["1 One Ada []", "1 a.test -", "2 b.test Ada", "1 []"]],
    ['submitLink(url: "b.test", description: "B") { id }', { id: "2" }, [
      "1 One Ada []",
      "1 a.test -",
      "2 b.test Ada",
      "1 []",
    ]],
    ["vote(linkId: 1) { link { url } user { name } }", {
      link: { url: "a.test" },
      user: { name: "Ada" },
    }, ["1 One Ada []", "1 a.test -", "1 Ada", "1 []"]],
  ],
  refused: [
    ...VERBS.map((verb): readonly [string, RegExp] => [
      `${verb}Order(input: { code: "A" }) { order { id } }`,
      /default resolver/,
    ]),
    [
      'createComment(articleSlug: "no", input: { body: "Hi" }) { comment { body } }',
      /^Cannot find Article "no": there is no record with this id$/,
    ],
    ["vote(linkId: 9) { id }", /there is no Link "9"/],
    ['shorten(url: "c.test") { id }', /default resolver/],
  ],
});
