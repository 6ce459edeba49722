package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.random.LedgerLine.What;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {

    private final List<LedgerLine> read = new ArrayList<>();

    @TempDir
    private Path dir;

    @Test
    void a_reader_returns_lines_appended_since_its_last_read() throws Exception {
        Path file = dir.resolve("p1.ledger");
        var writer = new LedgerWriter(file);
        try (var reader = new LedgerReader(file)) {
            LedgerLine first = new LedgerLine(What.CERTAIN, 1, "a", 2, 0);
            LedgerLine second = new LedgerLine(What.SAVED, 3, "a", 2, 4);
            writer.note(first);
            reader.read(read::add);
            assertThat(read).containsExactly(first);
            writer.note(second);
            reader.read(read::add);
            assertThat(read).containsExactly(first, second);
        }
    }

    @Test
    void an_incomplete_line_is_read_only_when_it_is_complete() throws Exception {
        Path file = Files.writeString(dir.resolve("p1.ledger"), "SAVED 3 a 2 1");
        try (var reader = new LedgerReader(file)) {
            reader.read(read::add);
            assertThat(read).isEmpty();
            Files.writeString(file, "7\nCERTAIN 5", StandardOpenOption.APPEND);
            reader.read(read::add);
            assertThat(read).containsExactly(new LedgerLine(What.SAVED, 3, "a", 2, 17));
        }
    }
}
