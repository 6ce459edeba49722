package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of {@code Election} are programs. */
class JavadocExampleTest {

    private static final Path ELECTION = Path.of("../core/src/main/java/dev/doyen/Election.java");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* }</pre>", Pattern.DOTALL);

    @TempDir
    Path classes;

    @Test
    void the_example_of_ranking_compiles() throws Exception {
        Matcher example = EXAMPLE.matcher(Files.readString(ELECTION));
        assertThat(example.find()).isTrue();
        String body = example.group(1).replaceAll("(?m)^ *\\* ?", "");
        assertThat(body).contains("Election.ranking(");
        assertThat(body.lines()).hasSizeLessThanOrEqualTo(10);
        String source = "import dev.doyen.*; import dev.doyen.membership.Membership;"
                + " class Example { void lead(Membership membership) throws Exception {\n" + body + "\n} }";
        var said = new StringWriter();
        boolean compiled = ToolProvider.getSystemJavaCompiler()
                .getTask(
                        said,
                        null,
                        null,
                        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                        null,
                        List.of(new Source(source)))
                .call();
        assertThat(compiled).as(said.toString()).isTrue();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String text) {
            super(URI.create("string:///Example.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
