import { defineComponent, ref, type VNode } from "vue";
import { fieldOf, resolve } from "../schema/field.ts";
import { fits, initialItem, variantLabel, variantOf } from "../schema/initial_value.ts";
import { FIELD_PROPS, fieldId, type FieldProps, type KindProps } from "./field_props.ts";
import { ListField, MapField, ObjectField } from "./GroupFields.tsx";
import { JsonField } from "./JsonField.tsx";
import {
  BooleanField,
  ChoiceField,
  ConstantField,
  NumberField,
  TextField,
} from "./SimpleFields.tsx";
import { eventValue } from "./event_value.ts";

/** Edits a value as its schema says; one that does not match the schema is edited as JSON. */
export function SchemaField(given: FieldProps): VNode {
  const props = { ...given, schema: resolve(given.schema, given.root), Nested: SchemaField };
  const field = fieldOf(props.schema);
  if (!fits(props.value, field)) return <JsonField {...props} />;
  switch (field.kind) {
    case "text":
      return <TextField {...props} field={field} />;
    case "number":
      return <NumberField {...props} field={field} />;
    case "boolean":
      return <BooleanField {...props} field={field} />;
    case "choice":
      return <ChoiceField {...props} field={field} />;
    case "constant":
      return <ConstantField {...props} field={field} />;
    case "list":
      return <ListField {...props} field={field} />;
    case "object":
      return <ObjectField {...props} field={field} />;
    case "map":
      return <MapField {...props} field={field} />;
    case "variants":
      return <VariantField {...props} field={field} />;
    case "json":
      return <JsonField {...props} />;
  }
}

/** Edits a value that has one of several forms. */
const VariantField = defineComponent((props: KindProps<"variants">) => {
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
