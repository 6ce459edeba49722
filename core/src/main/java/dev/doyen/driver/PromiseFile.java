package dev.doyen.driver;

import dev.doyen.membership.Member;
import dev.doyen.ring.Term;
import dev.doyen.store.OwnFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a voter of a ring keeps the greatest term it has promised, over restarts (rule Q4 of docs/spec/ring.md). A few lines of
 * text, which say whose they are: a file of another voter or election is refused. The process has it for itself.
 *
 * <p>Threads: any; {@link #keep} waits for the disk.
 */
public final class PromiseFile implements AutoCloseable {

    private static final String HEAD = "doyen promise 1";

    private final Path path;
    private final OwnFile file;
    private final String election;
    private final String voter;
    private final Term kept;

    /**
     * Opens it, or begins it; and writes it once, so that a disk that cannot be written to is noticed now.
     *
     * @throws IllegalArgumentException if that fails, or if it is not the file of this voter in this election
     */
    public PromiseFile(Path path, String election, String voter) {
        this.path = path;
        this.election = election;
        this.voter = voter;
        OwnFile opened = null;
        try {
            opened = OwnFile.open(path);
            Optional<String> text = opened.text();
            kept = text.isPresent() ? parse(text.get()) : Term.NONE;
            opened.replace(written(kept));
            file = opened;
        } catch (IOException | RuntimeException e) {
            close(opened, e);
            throw new IllegalArgumentException(
                    "the promises of voter \"" + voter + "\" cannot be kept in " + path + " (" + e.getMessage()
                            + "); name a file on a local disk that only this process uses",
                    e);
        }
    }

    /** What was kept when this was opened; {@link Term#NONE} if the file was not there. */
    Term kept() {
        return kept;
    }

    /** Keeps this instead. Returns why it could not, or nothing once it is on the disk. */
    Optional<String> keep(Term promise) {
        try {
            file.replace(written(promise));
            return Optional.empty();
        } catch (IOException | RuntimeException e) {
            return Optional.of("the promise of term " + promise.counter() + " cannot be kept in " + path + " (" + e
                    + "); without it this voter grants nothing: see to the disk");
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private String written(Term promise) {
        var creator = Optional.ofNullable(promise.creator());
        return String.join(
                        "\n",
                        HEAD,
                        "election: " + election,
                        "voter: " + voter,
                        "term: " + promise.counter(),
                        "member: " + creator.map(Member::id).orElse(""),
                        "incarnation: " + creator.map(Member::incarnation).orElse(""))
                + "\n";
    }

    private Term parse(String text) {
        List<String> lines = text.lines().toList();
        if (lines.size() != 6 || !lines.get(0).equals(HEAD) || !text.endsWith("\n")) {
            throw new IllegalArgumentException("it is not a file of promises, of which the first line is \"" + HEAD
                    + "\" and five follow; move it away only if the voter never votes again under this name");
        }
        String of = value(lines.get(1), "election: ");
        String whose = value(lines.get(2), "voter: ");
        if (!of.equals(election) || !whose.equals(voter)) {
            throw new IllegalArgumentException(
                    "it is the file of voter \"" + whose + "\" in election \"" + of + "\"; each has one of its own");
        }
        long counter = Long.parseLong(value(lines.get(3), "term: "));
        String member = value(lines.get(4), "member: ");
        String incarnation = value(lines.get(5), "incarnation: ");
        return counter == 0 ? Term.NONE : new Term(counter, new Member(member, incarnation));
    }

    private static String value(String line, String name) {
        if (!line.startsWith(name)) {
            throw new IllegalArgumentException("\"" + line + "\" stands where \"" + name + "\" should");
        }
        return line.substring(name.length());
    }

    private static void close(@Nullable OwnFile opened, Exception cause) {
        try {
            if (opened != null) {
                opened.close();
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }
}
