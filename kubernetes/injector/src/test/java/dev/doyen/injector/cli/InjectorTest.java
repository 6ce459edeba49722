package dev.doyen.injector.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InjectorTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--namespace=a | Missing required option: '--image=IMAGE'",
                "--image=i --namespace=a | this process does not run in a pod, and no API server is named; name one with --server https://host:port",
                "--image=i --server=https://h | the namespace of the injector, of its certificate and of its Lease is not set; set --namespace or POD_NAMESPACE",
                "--image=i --server=http://h --namespace=a | the API server is \"http://h\"; give it as https://host:port, or start the injector in a pod, which has its address",
                "--image=i --server=https://h --namespace=a --listen=8443 | --listen is '8443'; write it like localhost:8443, with a port up to 65535",
                "--image=i --server=https://h --namespace=a --key-file=k | --certificate-file and --key-file belong together; give both or neither",
                "--image=i --server=https://h --namespace=a --certificate-life=30s | the certificate's life (PT30S) must be at least 6 check intervals (PT10S each); make it longer",
                "--image=i --check-interval=soon | Invalid value for option '--check-interval': 'soon' is not a duration; write it like 10s, 12h or 90d"
            })
    void invalid_options_are_rejected_with_a_sentence(String arguments, String sentence) {
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err)
                .hasToString("doyen injector: " + sentence + ". Try: doyen injector --help" + System.lineSeparator());
    }

    @Test
    void a_missing_file_ends_the_program() {
        assertThat(run("--image=i --server=https://localhost:1 --namespace=a --server-ca-file=/nowhere/ca.crt"))
                .isEqualTo(1);
        assertThat(err)
                .hasToString(
                        "doyen injector: kubernetes: there is no file /nowhere/ca.crt with the certificate authority of"
                                + " the API server; name the certificate authority with --server-ca-file"
                                + System.lineSeparator());
    }

    @Test
    void help_names_every_option() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("--image", "--certificate-life", "--no-controller", "Exit code:");
    }

    private int run(String arguments) {
        List<String> given = new ArrayList<>(Arrays.asList(arguments.split(" ")));
        return Injector.run(
                Map.of(),
                program -> {},
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                given.toArray(String[]::new));
    }
}
