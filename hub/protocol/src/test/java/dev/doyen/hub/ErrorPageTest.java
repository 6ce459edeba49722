package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.wire.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Tests that {@code docs/reference/hub-errors.md}, which {@code ./dev fix} generates, matches {@link ErrorCode}. */
class ErrorPageTest {

    private static final Path PAGE = Path.of("..", "..", "docs", "reference", "hub-errors.md");

    @Test
    void the_page_lists_every_error_code() throws IOException {
        if (Boolean.getBoolean("rewrite")) {
            Files.writeString(PAGE, page());
        }
        assertThat(Files.readString(PAGE))
                .as("the page is current; otherwise run ./dev fix")
                .isEqualTo(page());
    }

    private static String page() {
        var page = new StringBuilder("""
                # Errors the hub sends

                This page is generated from `ErrorCode.java` by `./dev fix`. Each error has a message with the value, its
                limit and the remedy. *Later* means that the same request may succeed if the client sends it again.

                | code | status | meaning | again? |
                |---|---|---|---|
                """);
        for (ErrorCode error : ErrorCode.values()) {
            page.append("| ").append(error.code());
            page.append(" | ").append(error.statusCode());
            page.append(" | ").append(error.meaning());
            page.append(" | ")
                    .append(error.retry().name().toLowerCase(Locale.ROOT))
                    .append(" |\n");
        }
        return page.toString();
    }
}
