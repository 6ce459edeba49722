package dev.doyen.examples.sftp;

import java.util.List;

/**
 * Some rows of one file. One process books all these rows in one transaction.
 *
 * @param file the file's name
 * @param firstRow the number of the first row
 * @param rows the rows, unchanged from the file
 */
record Batch(String file, long firstRow, List<String> rows) {}
