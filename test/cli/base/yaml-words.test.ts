/** What is wrong with a YAML file is said in the language of the command. */
import { expect, test } from 'vitest';
import { parseDocument } from 'yaml';
import { yamlProblem } from '../../../src/cli/base/yaml-words.ts';

test.each([
  ['DUPLICATE_KEY', 'a: 1\na: 2', '键重复'],
  ['TAB_AS_INDENT', 'a:\n\tb: 1', '不能用制表符缩进'],
  ['MISSING_CHAR', 'a: "x', '缺少字符，例如冒号、逗号、引号、括号或空格'],
  ['BAD_INDENT', 'a: {\nb: 1}', '缩进有误'],
  ['BLOCK_AS_IMPLICIT_KEY', 'a: b: c', '此处不能嵌套键值，值中若有冒号请加引号'],
  ['BAD_ALIAS', 'a: &', '别名（*）无效：对应的锚点（&）须在其之前，且引用次数不能过多'],
])('%s: %j', (code, text, zh) => {
  const error = parseDocument(text, { prettyErrors: false }).errors.find(
    (found) => found.code === code,
  );
  expect(yamlProblem(error)).toEqual({ en: error?.message, zh });
});

test('an alias without its anchor, and a code that is not known', () => {
  let thrown: unknown;
  try {
    parseDocument('a: *b').toJS();
  } catch (error) {
    thrown = error;
  }
  expect(yamlProblem(thrown).zh).toMatch(/^别名/);
  expect(yamlProblem({ code: 'NEW', message: 'one\ntwo' })).toEqual({
    en: 'one',
    zh: '此处的内容不符合 YAML 语法',
  });
  expect(yamlProblem('text').en).toBe('text');
});
