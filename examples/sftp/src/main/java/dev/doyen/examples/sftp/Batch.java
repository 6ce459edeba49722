package dev.doyen.examples.sftp;

import java.util.List;

/**
 * The rows of a file that one process books in one transaction.
 *
 * @param file the file's name
 * @param firstRow the number of the first row
 * @param rows the rows, unchanged from the file
 */
record Batch(String file, long firstRow, List<String> rows) {}
