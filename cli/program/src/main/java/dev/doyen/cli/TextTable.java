package dev.doyen.cli;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A text table. Each column is as wide as its widest cell. Two spaces separate the columns.
 *
 * @param rows the rows, which have equal lengths; the first row contains the titles
 * @param right the index of the column that is aligned to the right
 */
record TextTable(List<List<String>> rows, int right) {

    List<String> lines() {
        int columns = rows.get(0).size();
        int[] widths = IntStream.range(0, columns)
                .map(column -> rows.stream()
                        .mapToInt(row -> length(row.get(column)))
                        .max()
                        .orElse(0))
                .toArray();
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        var line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            var blanks = " ".repeat(widths[column] - length(row.get(column)));
            line.append(column == right ? blanks + row.get(column) : row.get(column) + blanks)
                    .append("  ");
        }
        return line.toString().stripTrailing();
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
