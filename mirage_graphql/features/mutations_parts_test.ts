import { testWriteDialect } from "../testing/write_dialect.ts";

const [ONE, TWO] = ["1 2", "2 -"];
const IMAGES = ["1 [1 2] -", "2 [] -"];
const SCENE = "37 10";

/** Stash: parts of a record that are records, and lists that only the other side has. */
testWriteDialect({
  name: "parts of a record",
  state: `{
    galleries { id cover { id } } images { id galleries { id } parentImage { id } } scenes { resume_time play_duration }
  }`,
  data: {
    galleries: [{ id: "1", coverId: "2" }, { id: "2" }],
    images: [{ id: "1", galleryIds: ["1", "2"] }, { id: "2", galleryIds: [] }],
    scenes: [{ id: "1", resume_time: 37, play_duration: 10 }],
  },
  schema: `
    type Query { galleries: [Gallery!]! images: [Image!]! scenes: [Scene!]! }
    type Gallery { id: ID! cover: Image image(index: Int!): Image! title: String! }
    type Image { id: ID! galleries: [Gallery!]! parentImage: Image }
    type Scene { id: ID! resume_time: Float play_duration: Float }
    input CoverInput { gallery_id: ID! cover_image_id: ID! }
    input GalleryInput { gallery_id: ID! }
    input ImagesInput { gallery_id: ID! image_ids: [ID!]! }
    type Mutation {
      setGalleryCover(input: CoverInput!): Boolean!
      resetGalleryCover(input: GalleryInput!): Boolean!
      resetGalleryTitle(input: GalleryInput!): Boolean!
      printGalleryCover(input: CoverInput!): Boolean!
      addGalleryImages(input: ImagesInput!): Boolean!
      removeGalleryImages(input: ImagesInput!): Boolean!
      galleryImagesAdd(galleryId: ID!, imageIds: [ID!]!): Gallery
      updateImage(id: ID!, parentId: ID): Image
      updateImages(ids: [ID!]!, parentId: ID): [Image!]
      sceneSaveActivity(id: ID!, resume_time: Float, playDuration: Float): Boolean!
      sceneUpdateTimes(id: ID!, playDuration: Float): Boolean!
    }
  `,
  rows: [
    ["setGalleryCover(input: { gallery_id: 2, cover_image_id: 1 })", true, [
      ...[ONE, "2 1"],
      ...IMAGES,
      SCENE,
    ]],
    ["resetGalleryCover(input: { gallery_id: 1 })", true, ["1 -", TWO, ...IMAGES, SCENE]],
    ["addGalleryImages(input: { gallery_id: 1, image_ids: [1, 2] })", true, [
      ...[ONE, TWO, "1 [1 2] -", "2 [1] -"],
      SCENE,
    ]],
    ["galleryImagesAdd(galleryId: 1, imageIds: [2]) { id }", { id: "1" }, [
      ...[ONE, TWO, "1 [1 2] -", "2 [1] -"],
      SCENE,
    ]],
    ["updateImage(id: 2, parentId: 1) { parentImage { id } }", { parentImage: { id: "1" } }, [
      ...[ONE, TWO, "1 [1 2] -", "2 [] 1"],
      SCENE,
    ]],
    ["updateImages(ids: [2], parentId: 1) { id }", [{ id: "2" }], [
      ...[ONE, TWO, "1 [1 2] -", "2 [] 1"],
      SCENE,
    ]],
    ["removeGalleryImages(input: { gallery_id: 2, image_ids: [1, 2] })", true, [
      ...[ONE, TWO, "1 [1] -", "2 [] -"],
      SCENE,
    ]],
    ["sceneSaveActivity(id: 1, resume_time: 38, playDuration: 5)", true, [
      ...[ONE, TWO, ...IMAGES],
      "38 15",
    ]],
    ["sceneUpdateTimes(id: 1, playDuration: 5)", true, [ONE, TWO, ...IMAGES, "37 5"]],
  ],
  refused: [
    ["setGalleryCover(input: { gallery_id: 1, cover_image_id: 9 })", /no Image "9"/],
    ["updateImage(id: 2, parentId: 9) { id }", /no Image "9"/],
    ["addGalleryImages(input: { gallery_id: 1, image_ids: [9] })", /no record with this id/],
    ["addGalleryImages(input: { gallery_id: 9, image_ids: [1] })", /there is no Gallery "9"/],
    ["resetGalleryTitle(input: { gallery_id: 1 })", /default resolver/],
    ["printGalleryCover(input: { gallery_id: 1, cover_image_id: 1 })", /default resolver/],
  ],
});
