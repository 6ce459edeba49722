class Doyen < Formula
  desc "Elects one leader among processes, pods and browser tabs"
  homepage "https://github.com/doyen-dev/doyen"
  url "https://github.com/doyen-dev/doyen/releases/download/v@VERSION@/doyen-@VERSION@.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "openjdk"

  def install
    libexec.install "bin", "lib", "doyen.jar", "jvm.args"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/doyen"
    zsh_completion.install "share/zsh/site-functions/_doyen"
    fish_completion.install "share/fish/vendor_completions.d/doyen.fish"
    (bin/"doyen").write_env_script libexec/"bin/doyen", Language::Java.overridable_java_home_env
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/doyen --version")
  end
end
