package dev.doyen.examples.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowReaderTest {

    @Test
    void rows_are_read_from_the_start_of_any_row() throws IOException {
        byte[] file = "één\r\n\nthree\nlast".getBytes(StandardCharsets.UTF_8);
        List<Long> offsets = new ArrayList<>();
        assertThat(rows(file, 0, offsets)).containsExactly("één", "", "three", "last");
        assertThat(offsets).containsExactly(7L, 8L, 14L, 18L);
        assertThat(rows(file, 8, offsets)).containsExactly("three", "last");
        assertThat(rows(file, 18, offsets)).isEmpty();
    }

    @Test
    void a_row_can_cross_the_end_of_a_block() throws IOException {
        String first = "x".repeat(RowReader.BLOCK_BYTES - 1);
        String second = "y".repeat(RowReader.BLOCK_BYTES + 5);
        byte[] file = (first + "\n" + second + "\nz\n").getBytes(StandardCharsets.UTF_8);
        assertThat(rows(file, 0, new ArrayList<>())).containsExactly(first, second, "z");
    }

    @Test
    void a_file_without_line_ends_is_rejected() {
        byte[] file = new byte[RowReader.MAX_ROW_BYTES + 1];
        assertThatThrownBy(() -> rows(file, 0, new ArrayList<>()))
                .isInstanceOf(IOException.class)
                .hasMessage("the row at byte 0 is longer than 65536 bytes; is this a file of lines?");
    }

    private static List<String> rows(byte[] file, long from, List<Long> offsets) throws IOException {
        List<String> rows = new ArrayList<>();
        RowReader.Blocks blocks = (offset, buffer) -> {
            int length = (int) Math.min(buffer.length, file.length - offset);
            System.arraycopy(file, (int) offset, buffer, 0, length);
            return length;
        };
        try (var reader = new RowReader(blocks, () -> {}, from)) {
            for (String row = reader.next(); row != null; row = reader.next()) {
                rows.add(row);
                offsets.add(reader.offset());
            }
        }
        return rows;
    }
}
