/** What is wrong with a YAML file: the parser's own words in English, and those of its codes. */
import type { YAMLError } from 'yaml';
import type { Text } from './text.ts';

/** Of an error of the parser, or of one that names aliases. */
export function yamlProblem(error: unknown): Text {
  const { message, code } = error as Partial<YAMLError>;
  const [en = ''] = (message ?? String(error)).split('\n');
  return { en, zh: code === undefined ? words.BAD_ALIAS : (words[code] ?? words.UNEXPECTED_TOKEN) };
}

const words: Readonly<Record<YAMLError['code'], string>> = {
  ALIAS_PROPS: '别名（*）不能再带锚点或标签',
  BAD_ALIAS: '别名（*）无效：对应的锚点（&）须在其之前，且引用次数不能过多',
  BAD_COLLECTION_TYPE: '标签与内容的类型不符',
  BAD_DIRECTIVE: '指令（%）无效',
  BAD_DQ_ESCAPE: '双引号字符串中的转义序列无效',
  BAD_INDENT: '缩进有误',
  BAD_PROP_ORDER: '锚点和标签须写在 ?、: 或 - 之后',
  BAD_SCALAR_START: '未加引号的值不能以此字符开头，请加引号',
  BLOCK_AS_IMPLICIT_KEY: '此处不能嵌套键值，值中若有冒号请加引号',
  BLOCK_IN_FLOW: '{ } 或 [ ] 中不能使用缩进形式的内容',
  DUPLICATE_KEY: '键重复',
  IMPOSSIBLE: '无法解析',
  KEY_OVER_1024_CHARS: '键超过 1024 个字符',
  MISSING_CHAR: '缺少字符，例如冒号、逗号、引号、括号或空格',
  MULTILINE_IMPLICIT_KEY: '键不能跨行，可能缺少冒号或引号',
  MULTIPLE_ANCHORS: '一个值只能有一个锚点',
  MULTIPLE_DOCS: '文件中只能有一个文档（---）',
  MULTIPLE_TAGS: '一个值只能有一个标签',
  NON_STRING_KEY: '键须为字符串',
  RESOURCE_EXHAUSTION: '嵌套过深',
  TAB_AS_INDENT: '不能用制表符缩进',
  TAG_RESOLVE_FAILED: '标签或值的写法无法识别',
  UNEXPECTED_TOKEN: '此处的内容不符合 YAML 语法',
};
