package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@link ObjectDeserialization} in a separate JVM, because its setting applies to the whole JVM. */
@Timeout(180)
class ObjectDeserializationTest {

    @Test
    void no_java_object_is_deserialized() throws Exception {
        assertThat(output()).isEqualTo("read, then refused");
    }

    @Test
    void a_configured_filter_is_kept() throws Exception {
        assertThat(output("-Djdk.serialFilter=java.base/*")).isEqualTo("read, then read");
    }

    private static String output(String... flags) throws IOException {
        var command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Reader.class.getName()));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    /** A program that deserializes an object before and after {@link ObjectDeserialization#refuse}. */
    static final class Reader {
        public static void main(String[] arguments) throws Exception {
            var before = read();
            ObjectDeserialization.refuse();
            System.out.println(before + ", then " + read());
        }

        private static String read() throws IOException, ClassNotFoundException {
            var bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(new ArrayList<>(List.of("a")));
            try {
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
                return "read";
            } catch (InvalidClassException e) {
                return "refused";
            }
        }
    }
}
