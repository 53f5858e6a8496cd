import { testWriteDialect } from "../testing/write_dialect.ts";

/** GitHub clients, RealWorld, Apollo's tutorial and Relay's todos: verbs that name a state. */
testWriteDialect({
  name: "states and values of apps",
  state: `{
    repositories { viewerHasStarred starCount viewerSubscription }
    issues { closed state closedAt stateReason }
    articles { viewerDidFavorite favoritesCount comment published }
    users { viewerIsFollowing } launches { isBooked } todos { text complete } posts { votes likes }
  }`,
  data: {
    repositories: [{ id: "1", viewerHasStarred: false, starCount: 3, viewerSubscription: "NONE" }],
    issues: [{ id: "1", closed: true, state: "CLOSED", closedAt: "2026-01-01" }],
    articles: [{
      ...{ id: "1", slug: "one", viewerDidFavorite: false, favoritesCount: 0, published: true },
    }],
    users: [{ id: "1", username: "ada", viewerIsFollowing: true }],
    launches: [{ id: "1", isBooked: false }, { id: "2", isBooked: false }],
    todos: [{ id: "1", text: "A", complete: false, userId: "1" }],
    posts: [{ id: "1", votes: 0, likes: 0 }],
  },
  schema: `
    type Query {
      repositories: [Repository!]! issues: [Issue!]! articles: [Article!]! users: [User!]!
      launches: [Launch!]! todos: [Todo!]! posts: [Post!]! gists: [Gist!]!
    }
    interface Starrable { id: ID! viewerHasStarred: Boolean! starCount: Int! }
    enum Watching { NONE SUBSCRIBED UNSUBSCRIBED }
    type Repository implements Starrable {
      id: ID! viewerHasStarred: Boolean! starCount: Int! viewerSubscription: Watching
    }
    type Gist implements Starrable { id: ID! viewerHasStarred: Boolean! starCount: Int! }
    enum IssueState { OPEN CLOSED SUBMITTED }
    enum Reason { COMPLETED REOPENED }
    type Issue {
      id: ID! closed: Boolean! state: IssueState! closedAt: String stateReason: Reason
    }
    type Article {
      id: ID! slug: String! viewerDidFavorite: Boolean! favoritesCount: Int! viewerCanPin: Boolean
      comment: String published: Boolean
    }
    type User { id: ID! username: String! viewerIsFollowing: Boolean! }
    type Launch { id: ID! isBooked: Boolean! }
    type Todo { id: ID! text: String! complete: Boolean! user: User }
    type Post { id: ID! votes: Int! likes: Int! }
    input StarInput { starrableId: ID! clientMutationId: String }
    input SubscriptionInput { subscribableId: ID! state: Watching! }
    input SubmitInput { id: ID! }
    input IssueInput { issueId: ID! }
    input StatusInput { id: ID! complete: Boolean! userId: ID! }
    input RenameInput { id: ID! text: String! }
    input ApproveInput { id: ID! comment: String secret: String }
    type StarPayload { starrable: Starrable! clientMutationId: String }
    type SubscriptionPayload { subscribable: Repository }
    type IssuePayload { issue: Issue }
    type ArticlePayload { article: Article errors: [String!]! }
    type TripPayload { success: Boolean! message: String launches: [Launch] }
    type TodoPayload { todo: Todo! user: User! }
    type Mutation {
      addStar(input: StarInput!): StarPayload
      removeStar(input: StarInput!): StarPayload
      updateSubscription(input: SubscriptionInput!): SubscriptionPayload
      submitIssue(input: SubmitInput!): IssuePayload
      reopenIssue(input: IssueInput!): IssuePayload
      favoriteArticle(slug: String!): ArticlePayload
      unfavoriteArticle(slug: String!): ArticlePayload
      unpublishArticle(id: ID!): Article
      pinArticle(id: ID!): Article
      approveArticle(input: ApproveInput!): Article
      unfollowUser(username: String!): User
      bookTrips(launchIds: [ID]!): TripPayload!
      cancelTrip(launchId: ID!): TripPayload!
      completeTodo(id: ID!): Todo
      toggleTodo(id: ID!): Todo
      markTodoAsDone(todoId: ID!): Boolean!
      changeTodoStatus(input: StatusInput!): TodoPayload
      renameTodo(input: RenameInput!): Todo
      upvotePost(postId: Int!): Post
      likePost(id: ID!): Post
      viewPost(id: ID!): Post
    }
  `,
  rows: [
    ["addStar(input: { starrableId: 1 }) { starrable { viewerHasStarred } }", {
      starrable: { viewerHasStarred: true },
    }, ["true 4 NONE", ...after(0)]],
    ["removeStar(input: { starrableId: 1 }) { starrable { starCount } }", {
      starrable: { starCount: 3 },
    }, ["false 3 NONE", ...after(0)]],
    [
      "updateSubscription(input: { subscribableId: 1, state: SUBSCRIBED }) { subscribable { id } }",
      { subscribable: { id: "1" } },
      ["false 3 SUBSCRIBED", ...after(0)],
    ],
    ["reopenIssue(input: { issueId: 1 }) { issue { state } }", { issue: { state: "OPEN" } }, [
      "false 3 NONE",
      "false OPEN - REOPENED",
      ...after(1),
    ]],
    ["submitIssue(input: { id: 1 }) { issue { state } }", { issue: { state: "SUBMITTED" } }, [
      "false 3 NONE",
      "true SUBMITTED 2026-01-01 -",
      ...after(1),
    ]],
    ['favoriteArticle(slug: "one") { article { favoritesCount } errors }', {
      article: { favoritesCount: 1 },
      errors: [],
    }, [...before(2), "true 1 - true", ...after(2)]],
    ['unfavoriteArticle(slug: "one") { article { favoritesCount } }', {
      article: { favoritesCount: 0 },
    }, [...before(2), "false 0 - true", ...after(2)]],
    ["unpublishArticle(id: 1) { published }", { published: false }, [
      ...before(2),
      "false 0 - false",
      ...after(2),
    ]],
    ['approveArticle(input: { id: 1, comment: "ok" }) { comment }', { comment: "ok" }, [
      ...before(2),
      "false 0 ok true",
      ...after(2),
    ]],
    ['unfollowUser(username: "ada") { viewerIsFollowing }', { viewerIsFollowing: false }, [
      ...before(3),
      "false",
      ...after(3),
    ]],
    ["bookTrips(launchIds: [1, 2]) { success launches { isBooked } }", {
      success: true,
      launches: [{ isBooked: true }, { isBooked: true }],
    }, [...before(4), "true", "true", ...after(5)]],
    ["cancelTrip(launchId: 1) { launches { isBooked } }", { launches: [{ isBooked: false }] }, [
      ...before(4),
      "false",
      ...after(4),
    ]],
    ["completeTodo(id: 1) { complete }", { complete: true }, [
      ...before(6),
      "A true",
      ...after(6),
    ]],
    ["toggleTodo(id: 1) { complete }", { complete: true }, [...before(6), "A true", ...after(6)]],
    ["markTodoAsDone(todoId: 1)", true, [...before(6), "A true", ...after(6)]],
    [
      "changeTodoStatus(input: { id: 1, complete: true, userId: 1 }) { todo { complete } user { username } }",
      { todo: { complete: true }, user: { username: "ada" } },
      [...before(6), "A true", ...after(6)],
    ],
    ['renameTodo(input: { id: 1, text: "B" }) { text }', { text: "B" }, [
      ...before(6),
      "B false",
      ...after(6),
    ]],
    ["upvotePost(postId: 1) { votes }", { votes: 1 }, [...before(7), "1 0"]],
    ["likePost(id: 1) { likes }", { likes: 1 }, [...before(7), "0 1"]],
  ],
  refused: [
    ["viewPost(id: 1) { id }", /its name does not say that it deletes/],
    ["pinArticle(id: 1) { id }", /its name does not say that it deletes/],
    [
      'approveArticle(input: { id: 1, secret: "x" }) { id }',
      /takes "secret", which Article has no/,
    ],
    ['favoriteArticle(slug: "no") { article { id } }', /^Cannot update Article "no": there is no/],
    [
      "changeTodoStatus(input: { id: 1, complete: true, userId: 9 }) { user { username } }",
      /there is no User "9"/,
    ],
  ],
});

/** The state of the data, line by line. */
function lines(): readonly string[] {
  return [
    ...["false 3 NONE", "true CLOSED 2026-01-01 -", "false 0 - true", "true", "false", "false"],
    ...["A false", "0 0"],
  ];
}

function before(index: number): readonly string[] {
  return lines().slice(0, index);
}

function after(index: number): readonly string[] {
  return lines().slice(index + 1);
}

/** What somebody likes is in a list of theirs too. */
testWriteDialect({
  name: "lists of the viewer behind a flag",
  state: "{ users { favoriteArticles { id } starred { id } closedArticles { id } } }",
  data: {
    articles: [{ id: "1", viewerDidFavorite: false, isStarred: true, closed: false }],
    users: [{ id: "1", favoriteArticleIds: [], starredIds: ["1"], closedArticleIds: [] }],
  },
  schema: `
    type Query { viewer: User users: [User!]! }
    type User {
      id: ID! favoriteArticles: [Article!]! starred: [Article!]! closedArticles: [Article!]!
    }
    type Article { id: ID! viewerDidFavorite: Boolean! isStarred: Boolean! closed: Boolean! }
    type Mutation {
      favoriteArticle(id: ID!): Article
      unfavoriteArticle(id: ID!): Article
      addStar(articleId: ID!): Article
      unstarArticle(id: ID!): Article
      closeArticle(id: ID!): Article
    }
  `,
  rows: [
    ["favoriteArticle(id: 1) { viewerDidFavorite }", { viewerDidFavorite: true }, ["[1] [1] []"]],
    ["unfavoriteArticle(id: 1) { viewerDidFavorite }", { viewerDidFavorite: false }, ["[] [1] []"]],
    ["addStar(articleId: 1) { isStarred }", { isStarred: true }, ["[] [1] []"]],
    ["unstarArticle(id: 1) { isStarred }", { isStarred: false }, ["[] [] []"]],
    ["closeArticle(id: 1) { closed }", { closed: true }, ["[] [1] []"]],
  ],
  refused: [],
});
