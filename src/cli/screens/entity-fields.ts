/**
 * Editing of one row in the terminal screens: its fields as a list, each changed in the hint line.
 */
import type { Text } from '../base/text.ts';
import { type Band, contentWidth } from '../kit/frame.ts';
import { line } from '../kit/lines.ts';
import { List } from '../kit/list.ts';
import { drawList, type ScreenColumn } from './columns.ts';
import { type Action, listActions } from './keys.ts';
import { editLongText, type LongFormat } from './long-text.ts';
import { pressList } from './press-list.ts';
import type { Area, Host } from './view.ts';

export interface EditableField<Row> {
  readonly title: Text;
  /** Values that may have several lines are edited in an editor. */
  readonly format?: LongFormat;
  value(row: Row): string;
  /** Saves the typed text; errors are shown in the hint line. */
  save(host: Host, row: Row, text: string): Promise<void>;
}

interface Place<Row> {
  readonly place: number;
  readonly field: EditableField<Row>;
}

/**
 * Asks for the new value of a field of some rows, with the value of the first one to start from.
 */
export async function askForField<Row>(
  host: Host,
  field: EditableField<Row>,
  edit: {
    readonly rows: readonly Row[];
    readonly name: string;
    readonly saved: () => Promise<void>;
  },
): Promise<void> {
  const first = edit.rows[0];
  if (first === undefined) return;
  const save = async (text: string) => {
    const done: Row[] = [];
    try {
      for (const row of edit.rows) {
        await field.save(host, row, text);
        done.push(row);
      }
    } finally {
      // Also after a partial failure: the list shows what was done, and U takes that back.
      if (done.length > 0)
        host.showChange(host.localize(texts.saved), async () => {
          for (const row of done) await field.save(host, row, field.value(row));
        });
      await edit.saved();
    }
  };
  const { format } = field;
  if (
    format !== undefined &&
    (await editLongText(host, {
      name: `${edit.name} ${field.title.en}`,
      format,
      value: field.value(first),
      save,
    }))
  )
    return;
  const of: Text = { en: `${field.title.en} of {name}: `, zh: `{name} 的${field.title.zh}：` };
  host.prompt(of, edit.name, field.value(first), save);
}

export class FieldList<Row> {
  readonly #host: Host;
  readonly #list = new List<Place<Row>>((one) => one.place);

  constructor(host: Host, fields: readonly EditableField<Row>[]) {
    this.#host = host;
    this.#list.setRows(fields.map((field, place) => ({ place, field })));
  }

  actions(): readonly Action[] {
    return ['back', 'change', ...listActions];
  }

  async press(action: Action, row: Row, name: string, saved: () => Promise<void>): Promise<void> {
    const field = this.#list.current()?.field;
    if (action === 'change' && field !== undefined)
      await askForField(this.#host, field, { rows: [row], name, saved });
    else pressList(this.#list, action);
  }

  draw(row: Row, path: readonly string[], area: Area): readonly Band[] {
    const { glyphs } = this.#host;
    const columns: readonly ScreenColumn<Place<Row>>[] = [
      {
        title: this.#host.localize(texts.field),
        width: 22,
        value: ({ field }) => this.#host.localize(field.title),
      },
      { title: this.#host.localize(texts.value), value: ({ field }) => field.value(row) },
    ];
    const width = area.width - 2;
    const height = area.height - 1;
    const title = line([...path, this.#host.localize(texts.edit)].join(` ${glyphs.inside} `));
    return [
      {
        height,
        panes: [
          {
            title,
            lines: drawList(this.#list, columns, { width: contentWidth(width), height }, glyphs),
            width,
          },
        ],
      },
    ];
  }
}

const texts = {
  field: { en: 'field', zh: '字段' },
  value: { en: 'value', zh: '值' },
  edit: { en: 'edit', zh: '修改' },
  saved: { en: 'Saved', zh: '已保存' },
} as const;
