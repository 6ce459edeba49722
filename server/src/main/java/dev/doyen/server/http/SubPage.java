package dev.doyen.server.http;

/**
 * A page that lies beneath a root of its own on a port that serves other things too, such as {@code /console/}: its files,
 * under a policy that lets it load and ask nothing from elsewhere.
 */
public final class SubPage {

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final String root;
    private final String what;
    private final StaticFiles files;

    /**
     * @param root where it is, with a slash before and none behind
     * @param what it is, in one word; also where in the class path its build is put
     */
    public SubPage(String root, String what) {
        this.root = root;
        this.what = what;
        this.files = new StaticFiles(SubPage.class.getClassLoader(), what);
    }

    /** Whether what is at this path is this page's. */
    public boolean has(String path) {
        return path.equals(root) || path.startsWith(root + "/");
    }

    /** The answer to who reads a path that this page {@link #has}. */
    public HttpReply reply(String path) {
        String place = "the " + what + " is at " + root + "/.";
        if (path.equals(root)) {
            return HttpReply.sentence(308, "T" + place.substring(1)).with("Location", root + "/");
        }
        String name = path.substring(root.length());
        var file = files.find(name);
        if (file.isPresent()) {
            var headers = Reading.headers(file.get().contentType());
            headers.put("Content-Security-Policy", POLICY);
            return new HttpReply(200, headers, file.get().bytes());
        }
        return HttpReply.sentence(
                404,
                name.equals("/")
                        ? "This build holds no " + what + "; ./doyen builds one."
                        : "There is nothing at this path; " + place);
    }
}
