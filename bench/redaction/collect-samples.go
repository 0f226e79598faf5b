// Replaces the file of gitleaks in which its rules validate their own samples. It prints every sample as one JSON
// object per line, with what gitleaks finds in it, instead of validating it. Used only during the evaluation, on
// the source from the module proxy.
package utils

import (
	"encoding/json"
	"os"
	"strings"
	"sync"

	"github.com/zricethezav/gitleaks/v8/cmd/generate/config/base"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/report"
)

type sample struct {
	Rule       string   `json:"rule"`
	IsPositive bool     `json:"isPositive"`
	Path       string   `json:"path"`
	Text       string   `json:"text"`
	Secrets    []string `json:"secrets"`
	// Findings of all gitleaks rules in a negative sample of one rule.
	Others []string `json:"others"`
}

var all = sync.OnceValue(func() *detect.Detector {
	detector, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		panic(err)
	}
	return detector
})

func secretsOf(findings []report.Finding) []string {
	secrets := []string{}
	for _, finding := range findings {
		secrets = append(secrets, finding.Secret)
	}
	return secrets
}

func print(rule *config.Rule, isPositive bool, path string, text string) {
	cfg := base.CreateGlobalConfig()
	cfg.Keywords = map[string]struct{}{}
	// The detector matches keywords in lower case.
	for at, keyword := range rule.Keywords {
		rule.Keywords[at] = strings.ToLower(keyword)
		cfg.Keywords[rule.Keywords[at]] = struct{}{}
	}
	cfg.Rules = map[string]config.Rule{rule.RuleID: *rule}
	for _, allowlist := range cfg.Allowlists {
		_ = allowlist.Validate()
	}
	fragment := detect.Fragment{Raw: text, FilePath: path}
	found := sample{Rule: rule.RuleID, IsPositive: isPositive, Path: path, Text: text}
	found.Secrets = secretsOf(detect.NewDetector(cfg).Detect(fragment))
	found.Others = secretsOf(all().Detect(fragment))
	_ = json.NewEncoder(os.Stdout).Encode(found)
}

func Validate(rule config.Rule, positives []string, negatives []string) *config.Rule {
	for _, text := range positives {
		print(&rule, true, "", text)
	}
	for _, text := range negatives {
		print(&rule, false, "", text)
	}
	return &rule
}

func ValidateWithPaths(rule config.Rule, positives map[string]string, negatives map[string]string) *config.Rule {
	for path, text := range positives {
		print(&rule, true, path, text)
	}
	for path, text := range negatives {
		print(&rule, false, path, text)
	}
	return &rule
}
