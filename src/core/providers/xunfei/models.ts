/**
 * Offered in the channel editor: the names of One API and New API, and Spark's own
 * (docs/rules/providers.md#spark-versions). v2.1 is gone.
 */
export const sparkModels = [
  ...['SparkDesk', 'SparkDesk-v1.1', 'SparkDesk-v3.1', 'SparkDesk-v3.5', 'SparkDesk-v4.0'],
  ...['Spark-Lite', 'Spark-Pro', 'Spark-Pro-128K', 'Spark-Max', 'Spark-Max-32K', 'Spark-4.0-Ultra'],
] as const;
