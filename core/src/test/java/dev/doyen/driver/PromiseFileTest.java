package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.membership.Member;
import dev.doyen.ring.Term;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Q4: what a voter has promised is on the disk, and is its own. */
class PromiseFileTest {

    private static final Term TERM = new Term(7, new Member("b", "1f"));

    @TempDir
    Path folder;

    private PromiseFile open(String election, String voter) {
        return new PromiseFile(folder.resolve("promises"), election, voter);
    }

    @Test
    void what_was_kept_is_there_at_the_next_start() throws IOException {
        try (var file = open("orders", "a")) {
            assertThat(file.kept()).isEqualTo(Term.NONE);
            assertThat(file.keep(TERM)).isEmpty();
        }
        try (var file = open("orders", "a")) {
            assertThat(file.kept()).isEqualTo(TERM);
        }
        assertThat(folder.resolve("promises"))
                .hasContent("doyen promise 1\nelection: orders\nvoter: a\nterm: 7\nmember: b\nincarnation: 1f\n");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("promises", "promises.lock");
    }

    @Test
    void a_file_belongs_to_one_voter_in_one_election() throws IOException {
        open("orders", "a").close();
        assertThatThrownBy(() -> open("orders", "b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it is the file of voter \"a\" in election \"orders\"; each has one of its own");
        assertThatThrownBy(() -> open("others", "a")).hasMessageContaining("in election \"orders\"");
        open("orders", "a").close();
    }

    @Test
    void a_symbolic_link_is_refused_for_it_would_be_replaced() throws IOException {
        open("orders", "a").close();
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("promises"));
        assertThatThrownBy(() -> new PromiseFile(link, "orders", "a"))
                .hasMessageContaining("it is a symbolic link; name the file itself");
        assertThat(link).isSymbolicLink();
    }

    @Test
    void two_at_once_are_refused() throws IOException {
        try (var file = open("orders", "a")) {
            assertThatThrownBy(() -> open("orders", "a"))
                    .hasMessageContaining("the promises of voter \"a\" cannot be kept in")
                    .hasMessageContaining("another process or election has it open");
            assertThat(file.keep(TERM)).as("the first goes on").isEmpty();
        }
        open("orders", "a").close();
    }

    @Test
    void what_is_no_file_of_promises_is_refused_and_left_as_it_is() throws IOException {
        Path path = folder.resolve("promises");
        for (String text : new String[] {
            "",
            "something\n",
            "doyen promise 1\nelection: orders\nvoter: a\nterm: 7\nmember: b\nincarnation: 1f",
            "doyen promise 1\nelection: orders\nvoter: a\nterm: x\nmember: b\nincarnation: 1f\n",
            "doyen promise 1\nelection: orders\nvoter: a\nterm: 7\nmember: \nincarnation: 1f\n",
            "doyen promise 1\nelection: orders\nterm: 7\nvoter: a\nmember: b\nincarnation: 1f\n",
        }) {
            Files.writeString(path, text);
            assertThatThrownBy(() -> open("orders", "a"))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot be kept in " + path);
            assertThat(path).hasContent(text);
        }
    }

    @Test
    void a_disk_that_fails_is_said() throws IOException {
        assertThatThrownBy(() -> new PromiseFile(folder.resolve("no/such/file"), "orders", "a"))
                .hasMessageContaining("name a file on a local disk that only this process uses");
        var file = open("orders", "a");
        file.close();
        assertThat(file.keep(TERM))
                .hasValueSatisfying(said -> assertThat(said)
                        .contains(
                                "the promise of term 7 cannot be kept in",
                                "this voter grants nothing: see to the disk"));
    }
}
