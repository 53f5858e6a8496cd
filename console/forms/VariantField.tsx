import { defineComponent, ref } from "vue";
import { initialItem, variantLabel, variantOf } from "../schema/initial_value.ts";
import { eventValue } from "./event_value.ts";
import { FIELD_PROPS, fieldId, type KindProps } from "./field_props.ts";

/** Edits a value that has one of several forms. */
export const VariantField = defineComponent((props: KindProps<"variants">) => {
  const chosen = ref(-1);

  /** The variant that the value has; if several fit, the one that was chosen. */
  function current(): number {
    const { value, field: { variants }, root } = props;
    if (value === undefined) return -1;
    const picked = variants[chosen.value];
    if (picked !== undefined && variantOf(value, [picked], root) === 0) return chosen.value;
    return variantOf(value, variants, root);
  }

  function choose(event: Event): void {
    const text = eventValue(event);
    chosen.value = text === "" ? -1 : Number(text);
    const variant = props.field.variants[chosen.value];
    props.update(variant === undefined ? undefined : initialItem(variant, props.root));
  }

  return () => {
    const { field, root, label, path, required, Nested } = props;
    const index = current();
    const variant = field.variants[index];
    const id = `${fieldId(path)}.kind`;
    return (
      <div class="variants">
        <div class="field">
          <label for={id}>{label}</label>
          <select id={id} required={required} onChange={choose}>
            {(!required || variant === undefined) && <option value="" selected={index < 0} />}
            {field.variants.map((one, at) => (
              <option value={at} key={at} selected={at === index}>{variantLabel(one, root)}</option>
            ))}
          </select>
        </div>
        {variant !== undefined && (
          <Nested
            key={index}
            {...props}
            label={`${label} (${variantLabel(variant, root)})`}
            schema={variant}
            required
          />
        )}
      </div>
    );
  };
}, { props: [...FIELD_PROPS, "field", "Nested"], name: "VariantField" });
