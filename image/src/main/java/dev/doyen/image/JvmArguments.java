package dev.doyen.image;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How the image's Java is started; docs/decisions/0010 has what each of these saves.
 *
 * <p>Class path and archive are named relative to the image's working directory: a class-data archive is good only for the
 * class path it was made with, by its letters, and it is made in another folder, by somebody who may not be root.
 */
public final class JvmArguments {

    /** From here on, Java warns unless it is told that Netty means to reach below the heap. */
    private static final int ASKS_ABOUT_NATIVE_ACCESS = 24;

    private JvmArguments() {}

    /** A file of arguments, one on each line: what is said to Java, without the program's name. */
    public static String file(Recipe recipe, List<String> jars, int javaVersion) {
        var heap = recipe.heap();
        List<String> all = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-Xms" + heap.atStart() + "m",
                "-Xmx" + heap.atMost() + "m",
                "-Xmn" + heap.young() + "m",
                "-Xss512k",
                "-XX:TieredStopAtLevel=1",
                "-XX:CICompilerCount=1",
                "-XX:CompileThresholdScaling=5",
                "-XX:ReservedCodeCacheSize=16m",
                "-XX:StringTableSize=4096",
                "-XX:TrimNativeHeapInterval=60000",
                "-XX:-UsePerfData",
                "-XX:+ExitOnOutOfMemoryError",
                "-XX:+ErrorFileToStderr",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:ArchiveRelocationMode=0",
                "-XX:SharedArchiveFile=" + ImagePaths.ARCHIVE,
                "-Xlog:disable",
                "-Xlog:all=error:stderr",
                "-Dio.netty.allocator.type=unpooled"));
        all.addAll(forVersion(javaVersion));
        all.addAll(classPath(jars));
        return all.stream().map(each -> each + "\n").collect(Collectors.joining());
    }

    /** What is said to Java, before the file's arguments, to make the archive they name. */
    public static List<String> dumping(String classList) {
        return List.of("-Xshare:dump", "-XX:SharedClassListFile=" + classList);
    }

    private static List<String> forVersion(int javaVersion) {
        return javaVersion < ASKS_ABOUT_NATIVE_ACCESS
                ? List.of()
                : List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow");
    }

    private static List<String> classPath(List<String> jars) {
        return List.of(
                "-cp",
                jars.stream().map(jar -> ImagePaths.LIBRARIES + "/" + jar).collect(Collectors.joining(":")));
    }
}
