package dev.doyen.examples.sftp;

import java.util.List;

/**
 * Rows of a file that one process books in one transaction.
 *
 * @param file the file's name
 * @param firstRow the number of the first of them
 * @param rows as they stand in the file
 */
record Batch(String file, long firstRow, List<String> rows) {}
