package dev.doyen.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that code which reads a fencing token from a ring does not compile. A ring has no fencing tokens. */
class FencingTokenTest {

    @TempDir
    Path classes;

    @Test
    void the_leadership_of_a_ring_has_no_fencing_token() {
        assertThat(compile("dev.doyen.group.RingLeadership"))
                .contains("cannot find symbol")
                .contains("term()");
    }

    @Test
    void the_leadership_of_any_election_has_no_fencing_token() {
        assertThat(compile("dev.doyen.election.Leadership")).contains("cannot find symbol");
    }

    @Test
    void the_leadership_of_a_lease_has_a_fencing_token() {
        assertThat(compile("dev.doyen.LeaseLeadership")).isEmpty();
    }

    /** Compiles code that calls {@code term()} on this type, and returns the compiler errors. */
    private String compile(String leadership) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var errors = new StringWriter();
        var source = new SimpleJavaFileObject(URI.create("string:///Asks.java"), SimpleJavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return """
                        final class Asks {
                            static long fencingToken(%s leadership) {
                                return leadership.term();
                            }
                        }
                        """.formatted(leadership);
            }
        };
        List<String> options =
                List.of("-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString());
        boolean unused = compiler.getTask(errors, null, null, options, null, List.of(source))
                .call();
        return errors.toString();
    }
}
