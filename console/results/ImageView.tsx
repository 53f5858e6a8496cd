import { defineComponent, onScopeDispose } from "vue";

interface ImageProps {
  readonly title: string;
  readonly mimeType: string;
  /** Its bytes in base64. */
  readonly data: string;
}

/** An image of a result, which comes from no address. */
export const ImageView = defineComponent((props: ImageProps) => {
  const url = urlOf(props);
  onScopeDispose(() => url !== undefined && URL.revokeObjectURL(url));
  return () =>
    url === undefined
      ? <p class="empty">This is no image: its bytes can't be read.</p>
      : <img src={url} alt={props.title} />;
}, { props: ["title", "mimeType", "data"], name: "ImageView" });

function urlOf({ data, mimeType: type }: ImageProps): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
    return URL.createObjectURL(new Blob([bytes], { type }));
  } catch {
    return undefined;
  }
}
